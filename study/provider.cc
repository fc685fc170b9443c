#include "study/provider.h"

#include "study/emulated_provider.h"
#include "study/own_service_provider.h"

namespace scalemark::study {

std::unique_ptr<ClusterProvider> make_provider(const StudyPlan& plan, const std::filesystem::path& folder,
                                               const std::function<void(const std::string&)>& notice) {
  return plan.provider == Provider::emulated ? make_emulated_provider(plan, folder, notice)
                                             : make_own_service_provider(plan, folder);
}

}  // namespace scalemark::study
