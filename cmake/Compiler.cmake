# One language level, one set of warnings and one way to switch on sanitizers for every target.
set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "Build type" FORCE)
endif()

add_compile_options(-Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wsign-conversion
                    -Wnon-virtual-dtor -Woverloaded-virtual -Werror)

# GCC 12 sees overlapping copies where a literal is joined with a string (GCC bug 105651).
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
  add_compile_options(-Wno-restrict)
endif()

if(SCALEMARK_SANITIZE)
  add_compile_options(-fsanitize=${SCALEMARK_SANITIZE} -fno-omit-frame-pointer
                      -fno-sanitize-recover=all)
  add_link_options(-fsanitize=${SCALEMARK_SANITIZE})
  # The check of virtual tables probes memory through a pipe, so it reports sound objects as broken while a
  # process has no descriptor left, which is what some tests are about.
  add_compile_options(-fno-sanitize=vptr)
endif()

# scalemark_library(NAME SOURCES... [USES targets...]): one room, one static library.
function(scalemark_library name)
  cmake_parse_arguments(ROOM "" "" "SOURCES;USES" ${ARGN})
  add_library(scalemark_${name} STATIC ${ROOM_SOURCES})
  target_include_directories(scalemark_${name} PUBLIC ${PROJECT_SOURCE_DIR})
  target_link_libraries(scalemark_${name} PUBLIC ${ROOM_USES})
endfunction()
