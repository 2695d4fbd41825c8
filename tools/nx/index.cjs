// Nx loads plugins with require; ours is an ES module, bundled to dist by `npm run build`.
const load = () => import('../../dist/nx/plugin.js')

module.exports = {
  name: 'medmake',
  createNodes: [
    'targets/*.conf',
    async (...args) => {
      const { createNodes } = await load()
      return createNodes[1](...args)
    },
  ],
  createDependencies: async (...args) => (await load()).createDependencies(...args),
}
