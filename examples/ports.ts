/** The ports of the pages and of the two services: PORT, or else 8080, and the next two; with 0 any free ones. */
export function portsFrom (PORT = '8080'): [pages: number, A: number, B: number] {
  const port = Number(PORT)
  return port === 0 ? [0, 0, 0] : [port, port + 1, port + 2]
}
