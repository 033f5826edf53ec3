// Package sides lines two run sets up: runs that were given more than once count once, ranks
// are matched by number, engine steps with those of like load, and the steps are chosen that
// enter. What it cannot line up is a doubt with a reason, and nothing here says which side is
// faster. Of is its entry point, and Lined what it makes.
package sides
