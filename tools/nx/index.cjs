// Nx loads plugins with require; ours is an ES module, bundled to dist by `npm run build`.
const load = () => import('../../dist/nx/plugin.js')

const createNodes = ['{targets/*.conf,medmake.yaml}', async (...args) => (await load()).createNodes(...args)]

module.exports = {
  name: 'medmake',
  createNodes,
  // Its name in Nx 20 and 21, which a repository may have already.
  createNodesV2: createNodes,
  createDependencies: async (...args) => (await load()).createDependencies(...args),
}
