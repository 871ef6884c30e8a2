package oracle

// flaky executes inputs with other orders of maps and selects. A failure is reported like all others; its replays show
// whether it depends on the order.
var flaky = Oracle{Name: "flaky", measure: measureFlaky}

// orders is how many orders of maps and selects are tried.
const orders = 3

func measureFlaky(m *Measurement) {
	for range orders {
		m.run.Reorder()
		if !m.execute(m.Args) || m.run.Over() {
			return
		}
	}
}
