// `scalemark web --search` as the terminal sees it: what is going to happen, each trial, the live line.
#pragma once

#include <string>

#include "app/terminal.h"
#include "app/web_command.h"
#include "study/web_search.h"

namespace scalemark::app {

/// "searching from 100 connections on http://10.0.0.1/: usually 9 trials of 32 s and one of 1 min 26 s, ..."
[[nodiscard]] std::string search_opening_text(const web::WebPlan& plan, const study::WebSearchPlan& search);

/// Searches, each trial run by `runner`; ends early, with what is known, at a stop signal. Throws what the
/// first trial throws.
[[nodiscard]] RunRecord run_search(const web::WebPlan& plan, const study::WebSearchPlan& search,
                                   const WebRunner& runner, LiveLine& line);

}  // namespace scalemark::app
