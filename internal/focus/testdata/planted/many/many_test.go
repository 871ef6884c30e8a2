package many

import (
	"encoding/csv"
	"encoding/json"
	"encoding/xml"
	"net/mail"
	"net/netip"
	"net/url"
	"strings"
	"testing"
	"time"
)

func FuzzToken(f *testing.F) {
	f.Add([]byte("abcdefgh"))
	f.Fuzz(func(_ *testing.T, b []byte) { _ = Token(b) })
}

func FuzzJSON(f *testing.F) {
	f.Fuzz(func(_ *testing.T, b []byte) { var v any; _ = json.Unmarshal(b, &v) })
}

func FuzzXML(f *testing.F) {
	f.Fuzz(func(_ *testing.T, b []byte) { var v struct{ A, B string }; _ = xml.Unmarshal(b, &v) })
}

func FuzzMail(f *testing.F) {
	f.Fuzz(func(_ *testing.T, s string) { _, _ = mail.ParseAddressList(s) })
}

func FuzzURL(f *testing.F) {
	f.Fuzz(func(_ *testing.T, s string) { _, _ = url.Parse(s) })
}

func FuzzCSV(f *testing.F) {
	f.Fuzz(func(_ *testing.T, s string) { _, _ = csv.NewReader(strings.NewReader(s)).ReadAll() })
}

func FuzzAddr(f *testing.F) {
	f.Fuzz(func(_ *testing.T, s string) { _, _ = netip.ParseAddr(s) })
}

func FuzzTime(f *testing.F) {
	f.Fuzz(func(_ *testing.T, s string) { _, _ = time.Parse(time.RFC1123Z, s) })
}
