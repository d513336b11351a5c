// Replaces node:crypto in the bundle of the page, which reads requests and signs nothing.
export function hash () {
  throw new Error('the page does not sign')
}
