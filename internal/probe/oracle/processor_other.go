//go:build !unix

package oracle

import "time"

// processorTime returns 0: it is not asked for.
func processorTime() time.Duration { return 0 }
