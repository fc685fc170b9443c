# One language level, one set of warnings and one way to switch on sanitizers for every target.
set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "Build type" FORCE)
endif()

add_compile_options(-Winvalid-pch -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wsign-conversion
                    -Wnon-virtual-dtor -Woverloaded-virtual -Werror)

# GCC 12 sees overlapping copies where a literal is joined with a string (GCC bug 105651).
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
  add_compile_options(-Wno-restrict)
endif()

# Sources that are compiled several at a time are not headers, whatever they look like to GCC.
if(CMAKE_UNITY_BUILD AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  add_compile_options(-Wno-subobject-linkage)
endif()

if(SCALEMARK_SANITIZE)
  add_compile_options(-fsanitize=${SCALEMARK_SANITIZE} -fno-omit-frame-pointer
                      -fno-sanitize-recover=all)
  add_link_options(-fsanitize=${SCALEMARK_SANITIZE})
  # The check of virtual tables probes memory through a pipe, so it reports sound objects as broken while a
  # process has no descriptor left, which is what some tests are about.
  add_compile_options(-fno-sanitize=vptr)
endif()

# Headers that nearly every source reads, compiled once for each way of compiling. Switched off for clang-tidy,
# which cannot read what GCC has compiled.
option(SCALEMARK_PRECOMPILE "Precompile common headers" ON)

# What a room that makes no load is compiled with: for a short build rather than for speed. GCC 12 sees strings
# overrun their own buffers when it optimises so little (GCC bug 105329).
set(SCALEMARK_COLD_OPTIONS $<$<CONFIG:Release>:-O1>)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
  list(APPEND SCALEMARK_COLD_OPTIONS -Wno-array-bounds -Wno-stringop-overread -Wno-stringop-overflow)
endif()

# scalemark_common_headers(): the two sets of precompiled headers. Called once, when the packages are known.
function(scalemark_common_headers)
  file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/common_headers.cc CONTENT "")
  foreach(headers scalemark_headers scalemark_cold_headers)
    add_library(${headers} OBJECT ${PROJECT_BINARY_DIR}/common_headers.cc)
    target_link_libraries(${headers} PRIVATE fmt::fmt nlohmann_json::nlohmann_json Threads::Threads)
    if(SCALEMARK_PRECOMPILE)
      target_precompile_headers(${headers} PRIVATE
        <nlohmann/json.hpp> <fmt/format.h> <algorithm> <chrono> <filesystem> <fstream> <functional> <memory>
        <optional> <string> <thread> <vector>)
    endif()
  endforeach()
  target_compile_options(scalemark_cold_headers PRIVATE ${SCALEMARK_COLD_OPTIONS})
endfunction()

# scalemark_library(NAME [COLD] SOURCES... [USES targets...]): one room, one static library. COLD: no part of it
# runs while load is made.
function(scalemark_library name)
  cmake_parse_arguments(ROOM "COLD" "" "SOURCES;USES" ${ARGN})
  add_library(scalemark_${name} STATIC ${ROOM_SOURCES})
  target_include_directories(scalemark_${name} PUBLIC ${PROJECT_SOURCE_DIR})
  target_link_libraries(scalemark_${name} PUBLIC ${ROOM_USES})
  set(headers scalemark_headers)
  if(ROOM_COLD)
    target_compile_options(scalemark_${name} PRIVATE ${SCALEMARK_COLD_OPTIONS})
    set(headers scalemark_cold_headers)
  endif()
  if(SCALEMARK_PRECOMPILE)
    target_precompile_headers(scalemark_${name} REUSE_FROM ${headers})
  endif()
endfunction()
