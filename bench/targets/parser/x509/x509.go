// Package x509 parses a certificate with crypto/x509.
package x509

import "crypto/x509"

// Target parses b as a certificate, as a request and as keys.
func Target(b []byte) {
	if c, err := x509.ParseCertificate(b); err == nil {
		_ = c.Subject.String()
		_ = c.VerifyHostname("example.com")
	}
	_, _ = x509.ParseCertificateRequest(b)
	_, _ = x509.ParseRevocationList(b)
	_, _ = x509.ParsePKIXPublicKey(b)
	_, _ = x509.ParsePKCS8PrivateKey(b)
}
