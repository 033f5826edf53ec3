package words

// LoadNote says what a table of loads shows.
const LoadNote = "Usual step time of the steps that are compared: those that have one of like size on the other side, " +
	"whose number they share here; where none has, of all. " +
	"Differences of groups are not tested one by one."
