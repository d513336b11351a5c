/** Returns a pattern of exactly this text. t.match, t.throws and t.rejects look for a string anywhere in the text. */
export const whole = (text: string | RegExp): RegExp =>
  text instanceof RegExp ? text : new RegExp(`^${text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')}$`)
