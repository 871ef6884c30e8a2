// Package words has the keywords of the soup.
package words

// The keywords.
const (
	Abandon = "abandon"
	Balance = "balance"
	Capture = "capture"
	Dismiss = "dismiss"
	Enclose = "enclose"
	Forward = "forward"
	Gesture = "gesture"
	Harvest = "harvest"
	Inspect = "inspect"
	Justify = "justify"
	Kindred = "kindred"
	Liberty = "liberty"
)
