package trace

import "context"

// Room is asked before a reader makes something large: whether so many bytes more fit
// into the memory that it may take. Where they do not the reading has been ended, and
// what is read from then on is not looked at.
type Room func(bytes int64) bool

type roomKey struct{}

// WithRoom is ctx with the room of the reading that it is of.
func WithRoom(ctx context.Context, room Room) context.Context {
	return context.WithValue(ctx, roomKey{}, room)
}

// RoomIn is the room of ctx; everything fits where it has none.
func RoomIn(ctx context.Context) Room {
	if room, ok := ctx.Value(roomKey{}).(Room); ok {
		return room
	}
	return func(int64) bool { return true }
}
