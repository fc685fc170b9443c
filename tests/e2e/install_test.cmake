# Installs into an empty folder; fails unless that gives exactly one file, bin/scalemark, and that one runs.
file(REMOVE_RECURSE ${INTO})
execute_process(COMMAND ${CMAKE_COMMAND} --install ${BUILD} --prefix ${INTO}
                OUTPUT_QUIET COMMAND_ERROR_IS_FATAL ANY)
file(GLOB_RECURSE installed RELATIVE ${INTO} ${INTO}/*)
if(NOT installed STREQUAL "bin/scalemark")
  message(FATAL_ERROR "expected bin/scalemark alone, got: ${installed}")
endif()
execute_process(COMMAND ${INTO}/bin/scalemark --version COMMAND_ERROR_IS_FATAL ANY)
