import { expect, it } from 'vitest'
import { medmake } from '../../rig/medmake.ts'
import { createWorkspace } from '../../rig/workspace.ts'

const ENTRY = 'demo_multiple_choice:model=baseline/lead'
const cwd = createWorkspace({ 'x.conf': 'entries: []\n' })

it.each([
  [['run', 'demo', '-r', ENTRY], '--run-entries stands in the place of suites, and demo is named, too'],
  [
    ['taxonomy', 'demo', '-c', 'x.conf'],
    '--conf-paths stands in the place of suites, and demo is named, too',
  ],
  [['serve', '--export-path', 'x', '--port', '8001'], '--port says nothing beside --export-path'],
  [['run', '-r', ENTRY, '--wait'], '--wait says nothing without --batch'],
  [['spend', '--csv', '--by', 'model'], '--by says nothing beside --csv'],
  [['report', '--paper', '-r', ENTRY], '--paper says nothing without --leaderboard'],
  [['report', '--leaderboard', 'x.csv', '--models-to-run', 'a/b'], '--models-to-run says nothing beside'],
  [['analyze', 'x.csv', '--paper', '--table', 'mde'], '--table says nothing beside --paper'],
  [['analyze', 'demo', '--json', '--table', 'mde'], '--table says nothing beside --json'],
  [['models', '--max-usd', '1'], '--max-usd is of medmake models check'],
  [
    ['rate', 'plan', 'demo', '--labels', '5', '--half-width', '0.2'],
    '--half-width says nothing beside --labels',
  ],
  [['rate', 'disagreements', '--port', '8100'], '--port says nothing without --serve'],
  [['rate', 'withdraw'], 'nothing says whose ratings to take back'],
  // Read by it, as its help says.
  [['rate', 'report', '--labels', '30'], 'there is no plan'],
  [['serve', '--site', 'x', '--suite', 'demo'], '--suite says nothing beside --site'],
  [['benchmark', 'new', 'a', '--sheet', 'b', '--yes'], '--sheet says nothing without --data'],
  [['rate', 'status', 'main'], 'medmake rate status takes flags alone, and main is none'],
  [['cache', 'verify', '../other'], 'medmake cache verify takes flags alone'],
  [['compare', '--fail-if', 'any drops > 0'], '--fail-if holds one side against another'],
  [['compare', 'a', 'b', '--fail-if', ' ;'], '--fail-if does not understand " ;"'],
  [['compare', '--profiles', 'helm-0.5.16,medhelm-0.8', '--metric', 'x'], '--metric says nothing beside'],
  [['compare', '--from', 'x', '-m', '5'], '--max-eval-instances says nothing of runs that lie in folders'],
  [['release', 'create', 'r', '--schema-path', 'x.yaml'], 'There is no schema file at'],
] as const)('what would not be read is refused: %j', async (words, message) => {
  const { code, stderr } = await medmake(words, { cwd })
  expect([code, stderr]).toEqual([2, expect.stringContaining(message)])
})
