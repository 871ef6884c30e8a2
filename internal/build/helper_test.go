package build

import (
	"os"
	"testing"

	"github.com/gnaw-fuzz/gnaw/internal/testkit"
)

func TestMain(m *testing.M) { os.Exit(testkit.RunWithOwnCache(m)) }
