import { relativeSpeeds } from './tables.js'

const escaped = text => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')

/** The HTTP targets as bars, the fastest first. Its colours can be read on white and on black. */
export function plot (result) {
  const bars = relativeSpeeds(result).filter(({ name }) => name !== 'silent-again')
    .sort((one, other) => other.speed.ratio - one.speed.ratio)
  const scale = 330 / Math.max(...bars.map(({ speed }) => speed.ratio))
  const height = 24 * bars.length + 40

  const lines = bars.map(({ label, isOurs, speed }, index) => {
    const y = 32 + 24 * index
    const width = (speed.ratio * scale).toFixed(1)
    return `<text x="330" y="${y + 13}" text-anchor="end">${escaped(label)}</text>
<rect x="340" y="${y}" width="${width}" height="18" rx="2" fill="${isOurs ? '#3b82f6' : '#8b949e'}"/>
<text x="${(346 + speed.ratio * scale).toFixed(1)}" y="${y + 13}">${speed.ratio.toFixed(2)}</text>`
  })
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 720 ${height}" width="720" height="${height}" role="img" ` +
    `font-family="system-ui, sans-serif" font-size="12" fill="#7d8590">
<title>Requests that a second of processor time answers, in proportion to bare Fastify that signs</title>
<text x="10" y="18">requests for a second of processor time; bare Fastify that signs is 1.00</text>
${lines.join('\n')}
</svg>
`
}
