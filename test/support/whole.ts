/** Returns a pattern of exactly this text: t.match, t.throws and t.rejects accept a string for any text that contains it. */
export const whole = (text: string | RegExp): RegExp =>
  text instanceof RegExp ? text : new RegExp(`^${text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')}$`)
