# make install, find_package(signalbox) and the .deb.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

install(TARGETS signalbox RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
install(TARGETS signalbox_lib EXPORT signalbox ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(DIRECTORY include/signalbox DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(DIRECTORY profiles DESTINATION ${CMAKE_INSTALL_DATADIR}/signalbox)
install(DIRECTORY models DESTINATION ${CMAKE_INSTALL_DATADIR}/signalbox)
install(DIRECTORY ${CMAKE_BINARY_DIR}/gates DESTINATION ${CMAKE_INSTALL_DATADIR}/signalbox PATTERN stamp EXCLUDE)
install(FILES packaging/grafana-dashboard.json DESTINATION ${CMAKE_INSTALL_DATADIR}/signalbox)
install(FILES packaging/signalbox.service DESTINATION lib/systemd/system)

set(SIGNALBOX_CMAKE_DIR ${CMAKE_INSTALL_LIBDIR}/cmake/signalbox)
install(EXPORT signalbox NAMESPACE signalbox:: DESTINATION ${SIGNALBOX_CMAKE_DIR} FILE signalbox-targets.cmake)
configure_package_config_file(packaging/signalbox-config.cmake.in ${CMAKE_BINARY_DIR}/signalbox-config.cmake
  INSTALL_DESTINATION ${SIGNALBOX_CMAKE_DIR})
write_basic_package_version_file(${CMAKE_BINARY_DIR}/signalbox-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_BINARY_DIR}/signalbox-config.cmake ${CMAKE_BINARY_DIR}/signalbox-config-version.cmake
  DESTINATION ${SIGNALBOX_CMAKE_DIR})

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME signalbox)
set(CPACK_PACKAGE_VERSION ${PROJECT_VERSION})
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "Decides where a message goes before an LLM sees it")
set(CPACK_PACKAGE_CONTACT "The Signalbox authors <signalbox@example.org>")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_CONTROL_EXTRA ${PROJECT_SOURCE_DIR}/packaging/postinst)
set(CPACK_STRIP_FILES ON)
include(CPack)
