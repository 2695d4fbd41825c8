// Nx loads generators with require; ours are an ES module, bundled to dist by `npm run build`.
const one =
  (name) =>
  async (...args) =>
    (await import('../../dist/nx/generators.js'))[name](...args)

module.exports = { benchmark: one('benchmark'), model: one('model'), init: one('init') }
