import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const style = `<style>
text { fill: #24292f }
@media (prefers-color-scheme: dark) { text { fill: #e6edf3 } }
</style>`

/** Draws horizontal bars as SVG, in an order from top to bottom, readable on a light and on a dark page. */
async function bars (title, unit, names, series) {
  const { init } = await import('echarts')
  const chart = init(null, null, { renderer: 'svg', ssr: true, width: 760, height: 110 + names.length * (16 + 18 * series.length) })
  chart.setOption({
    animation: false,
    color: ['#2f81f7', '#8b949e', '#d29922'],
    title: { text: title, left: 0, textStyle: { fontSize: 15 } },
    legend: series.length > 1 ? { bottom: 0, left: 0, itemGap: 28 } : undefined,
    // Without a browser, the width of a label is estimated, and too small.
    grid: { left: 40, right: 60, top: 40, bottom: series.length > 1 ? 48 : 28, containLabel: true },
    xAxis: { type: 'value', name: unit, nameLocation: 'end', splitLine: { lineStyle: { color: '#8b949e', opacity: 0.3 } } },
    yAxis: { type: 'category', data: names, inverse: true, axisTick: { show: false } },
    series: series.map(({ name, values }) => ({ name, type: 'bar', data: values, label: { show: true, position: 'right' } }))
  })
  const svg = chart.renderToSVGString()
  chart.dispose()
  return svg.replace(/>/, `>\n${style}`)
}

const rounded = (value, digits) => Number(value.toFixed(digits))
const plain = name => name.replaceAll('`', '')

/** Writes a chart for each part that was measured to a folder `charts`. */
export async function drawCharts ({ modes, latency, start, memory, processes }, folder) {
  const names = part => part.rows.map(({ name }) => plain(name))
  const charts = {
    modes: modes && bars('Times as fast as a bare Fastify route that signs', '', names(modes), [
      { name: 'with the same write batching', values: modes.rows.map(({ speed }) => rounded(speed.ratio, 2)) },
      { name: 'without it', values: modes.rows.map(({ unbatched }) => rounded(unbatched.ratio, 2)) }
    ]),
    latency: latency && bars('Latency at half of the highest load', 'ms', names(latency), ['p50', 'p99'].map(name =>
      ({ name, values: latency.rows.map(row => rounded(row[name], 2)) }))),
    start: start && bars('From the start of the process to the first signature', 'ms', names(start),
      [{ name: 'ms', values: start.rows.map(({ time }) => rounded(time, 0)) }]),
    memory: memory && bars('Resident memory', 'MB', names(memory), ['at rest', '1,000 connections', '10,000 connections'].map((name, index) =>
      ({ name, values: memory.rows.map(({ sizes }) => rounded(sizes[index], 0)) }))),
    processes: processes && bars('Requests per second of processes that share a port', '', names(processes),
      [{ name: 'requests/s', values: processes.rows.map(({ perSecond }) => rounded(perSecond, 0)) }])
  }
  mkdirSync(join(folder, 'charts'), { recursive: true })
  for (const [name, svg] of Object.entries(charts)) if (svg !== undefined) writeFileSync(join(folder, `charts/${name}.svg`), await svg)
}
