// A certificate authority and a server certificate of our own, made anew for each test.
#pragma once

#include <openssl/ec.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>

#include <memory>
#include <string>

namespace signalbox {

class TestCertificates {
 public:
  // `names` as OpenSSL writes them: "DNS:localhost,IP:127.0.0.1".
  TestCertificates(const std::string& folder, const std::string& names, long valid_seconds = 3600)
      : ca_file_(folder + "/ca.pem"),
        certificate_file_(folder + "/server.pem"),
        key_file_(folder + "/server.key") {
    EVP_PKEY* ca_key = EVP_EC_gen("P-256");
    EVP_PKEY* key = EVP_EC_gen("P-256");
    X509* ca = make("Test CA", ca_key, nullptr, 3600);
    extend(ca, ca, NID_basic_constraints, "critical,CA:TRUE");
    X509_sign(ca, ca_key, EVP_sha256());
    X509* leaf = make("server", key, ca, valid_seconds);
    extend(leaf, ca, NID_subject_alt_name, names.c_str());
    X509_sign(leaf, ca_key, EVP_sha256());
    FILE* file = std::fopen(ca_file_.c_str(), "w");
    PEM_write_X509(file, ca);
    std::fclose(file);
    file = std::fopen(certificate_file_.c_str(), "w");
    PEM_write_X509(file, leaf);
    std::fclose(file);
    file = std::fopen(key_file_.c_str(), "w");
    PEM_write_PrivateKey(file, key, nullptr, nullptr, 0, nullptr, nullptr);
    std::fclose(file);
    context_ = SSL_CTX_new(TLS_server_method());
    SSL_CTX_use_certificate(context_, leaf);
    SSL_CTX_use_PrivateKey(context_, key);
    X509_free(ca);
    X509_free(leaf);
    EVP_PKEY_free(ca_key);
    EVP_PKEY_free(key);
  }
  ~TestCertificates() { SSL_CTX_free(context_); }
  TestCertificates(const TestCertificates&) = delete;
  TestCertificates& operator=(const TestCertificates&) = delete;

  SSL_CTX* server() const { return context_; }
  const std::string& ca_file() const { return ca_file_; }
  const std::string& certificate_file() const { return certificate_file_; }
  const std::string& key_file() const { return key_file_; }

 private:
  static X509* make(const char* name, EVP_PKEY* key, X509* issuer, long valid_seconds) {
    X509* made = X509_new();
    X509_set_version(made, 2);
    ASN1_INTEGER_set(X509_get_serialNumber(made), issuer ? 2 : 1);
    X509_gmtime_adj(X509_getm_notBefore(made), -7200);
    X509_gmtime_adj(X509_getm_notAfter(made), valid_seconds);
    X509_set_pubkey(made, key);
    X509_NAME* subject = X509_get_subject_name(made);
    X509_NAME_add_entry_by_txt(subject, "CN", MBSTRING_ASC,
                               reinterpret_cast<const unsigned char*>(name), -1, -1, 0);
    X509_set_issuer_name(made, issuer ? X509_get_subject_name(issuer) : subject);
    return made;
  }
  static void extend(X509* made, X509* issuer, int kind, const char* value) {
    X509V3_CTX context;
    X509V3_set_ctx_nodb(&context);
    X509V3_set_ctx(&context, issuer, made, nullptr, nullptr, 0);
    X509_EXTENSION* extension = X509V3_EXT_conf_nid(nullptr, &context, kind, value);
    X509_add_ext(made, extension, -1);
    X509_EXTENSION_free(extension);
  }

  std::string ca_file_;
  std::string certificate_file_;
  std::string key_file_;
  SSL_CTX* context_ = nullptr;
};

}  // namespace signalbox
