// Loaded before a service to shift its clock by CLOCK_SHIFT_MS. Timers are not affected.
const shiftMs = Number(process.env.CLOCK_SHIFT_MS ?? 0);
const TrueDate = Date;

globalThis.Date = class extends TrueDate {
  constructor(...given) {
    if (given.length === 0) super(TrueDate.now() + shiftMs);
    else super(...given);
  }

  static now() {
    return TrueDate.now() + shiftMs;
  }
};
