// Nx loads executors with require; ours are ES modules, bundled to dist by `npm run build`.
const load = () => import('../../dist/nx/executors.js')

const one = (name) => async (options, context) => (await load())[name](options, context)
const batch = (name) =>
  async function* (...args) {
    yield* (await load())[name](...args)
  }

module.exports = {
  generate: one('generate'),
  generateBatch: batch('generateBatch'),
  score: one('score'),
  scoreBatch: batch('scoreBatch'),
  report: one('report'),
}
