// The clocks of a game that is played elsewhere: told now and then, and counted on here.

const LATE = 0.8; // share of the limit from which on a clock is red

export class LiveClock {
  constructor() {
    this.clock = null;
    this.toldAt = 0;
  }

  // `clock` has who thinks (`mover`), for how long already, of which limit, and what both `used`; milliseconds.
  tell(clock) {
    this.clock = clock;
    this.toldAt = performance.now();
  }

  // What a seat's clock shows now: the time of its move while it thinks, and all its time otherwise.
  read(seat) {
    if (this.clock === null) return { text: "", isTurn: false, isLate: false, share: 0 };
    const { mover, thinking, limit, used } = this.clock;
    if (mover !== seat) return { text: `Σ ${duration(used[seat])}`, isTurn: false, isLate: false, share: 0 };
    const now = thinking + performance.now() - this.toldAt;
    return { text: duration(now), isTurn: true, isLate: now > LATE * limit, share: Math.min(1, now / limit) };
  }
}

function duration(milliseconds) {
  const seconds = milliseconds / 1000;
  if (seconds < 100) return `${seconds.toFixed(1)} s`;
  return `${Math.floor(seconds / 60)}:${String(Math.floor(seconds % 60)).padStart(2, "0")}`;
}
