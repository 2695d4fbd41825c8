import type { Tree } from '@nx/devkit'
import { lackingRules, withRules } from '../../cli/init/ignored.ts'

const PLUGIN = 'medmake/nx'

interface NxJson {
  readonly plugins?: readonly (string | { readonly plugin: string })[]
}

/** What `nx add medmake` runs: names the plugin in nx.json, and makes the files that a workspace begins with. */
export const init = (tree: Tree): void => {
  const nxJson = JSON.parse(tree.read('nx.json', 'utf8') ?? '{}') as NxJson
  const plugins = nxJson.plugins ?? []
  const isNamed = plugins.some((each) => (typeof each === 'string' ? each : each.plugin) === PLUGIN)
  if (!isNamed)
    tree.write('nx.json', `${JSON.stringify({ ...nxJson, plugins: [...plugins, PLUGIN] }, undefined, 2)}\n`)
  const ignored = tree.read('.gitignore', 'utf8') ?? ''
  const missing = lackingRules(ignored)
  if (missing.length > 0) tree.write('.gitignore', withRules(ignored, missing))
  for (const [file, text] of Object.entries(FILES)) if (!tree.exists(file)) tree.write(file, text)
}

const FILES: Readonly<Record<string, string>> = {
  'medmake.yaml': '# Defaults of this workspace; flags win over them.\nmax_eval_instances: 1000\n',
  'targets/main.conf': `# A suite is a list of run entries: benchmark:model=… . Each entry is a project with the targets generate and score.
entries: [
  {description: "demo_multiple_choice:model=baseline/first-choice", priority: 1}
]
`,
}
