/** Options of esbuild that translate each file of TypeScript into one of dist. */
export default { outdir: 'dist', outbase: '.', format: 'esm', platform: 'node', target: 'node20', logLevel: 'warning' }
