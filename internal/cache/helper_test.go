package cache

import (
	"os"
	"testing"
)

func TestMain(m *testing.M) {
	if folder := os.Getenv(userEnv); folder != "" {
		usePart(folder)
		return
	}
	os.Exit(m.Run())
}
