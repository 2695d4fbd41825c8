import { newestCallText } from '../../site/about/release-notes.ts'
import type { ReleaseGiven } from '../release-file.ts'
import type { RunCard } from '../run-card.ts'
import { NAMESPACE, SIGNATURE_FILE } from './signature.ts'

export const README_FILE = 'README.md'

/** What a stranger finds in a bundle, in words: a pure function of what the release was made from. */
export const bundleReadme = (given: ReleaseGiven, cards: readonly RunCard[]): string =>
  `${[
    `# ${given.release}: results of a medical evaluation of language models`,
    aboutText(given, cards),
    LOOK,
    checkText(given),
    WHAT_LIES_WHERE,
    ...withheldText(cards),
    ...importedText(cards),
  ].join('\n\n')}\n`

const aboutText = ({ suites, date, profile, version }: ReleaseGiven, cards: readonly RunCard[]): string => {
  const models = new Set(cards.map(({ model }) => model))
  const benchmarks = new Set(cards.map(({ benchmark }) => benchmark.name))
  return [
    `${cards.length} runs of ${models.size} models on ${benchmarks.size} benchmarks (suites: ${suites.join(', ')}).`,
    `Newest model call: ${newestCallText(date)}. Scored as ${profile}, made with medmake ${version}.`,
  ].join('\n')
}

const LOOK = `## Look

Open \`site/index.html\` in a browser: it needs no server and asks no other host.`

const checkText = ({ release, version }: ReleaseGiven): string => `## Check

\`release.json\` names every file with its size and sha256, and itself by a digest: the name under which to cite these
numbers. With medmake ${version}, beside the .tar.gz, or with the name of this folder in its place:

    medmake release verify ${release}.tar.gz        # every byte; tables and site computed anew from the runs
    medmake release reproduce ${release}.tar.gz     # every reply scored anew, and what the records say held against the replies
    medmake release reproduce ${release}.tar.gz --model NAME    # the same requests to another model

Digests tell a change, not who made it: whoever edits a file can digest all anew. What then follows from nothing else here is
its maker's word: questions and replies, attempts, and of records \`failures\`, \`omitted\`, \`calibrated\`, \`lost\`, \`sources\`, \`attributes\`
and \`declared\`.
Where there is a \`${SIGNATURE_FILE}\`, it signs \`release.json\` and so all of it. With the publisher's file of signers,
by medmake (\`--signers FILE\` behind \`verify\`) or, in this folder, without:

    ssh-keygen -Y find-principals -s ${SIGNATURE_FILE} -f FILE
    ssh-keygen -Y verify -f FILE -I NAME -n ${NAMESPACE} -s ${SIGNATURE_FILE} < release.json`

const WHAT_LIES_WHERE = `## What lies where

- \`benchmark_output/runs/\`: each run as HELM writes it; \`benchmark_output/releases/\`: HELM's tables of them.
- \`records/\`: what else is known of each run (model as served, judges, coverage, failures, tokens).
- \`replies/\`: the replies of models and judges that the runs stand on.
- \`ratings/\`, where it was asked for: clinicians' ratings of public answers, by digest.
- \`ranking.json\`: ranks with their uncertainty. \`site/\`: the leaderboard.

The questions belong to the publishers of the data sets; their terms hold.`

const withheldText = (cards: readonly RunCard[]): readonly string[] => {
  const runs = cards.flatMap(({ suite, name, withheld }) =>
    withheld === null ? [] : [`- ${suite}: ${name} (${withheld.reason})`],
  )
  return runs.length === 0
    ? []
    : [`## Withheld\n\nOf these runs only aggregates are here.\n\n${runs.join('\n')}`]
}

/** Replies that another program got, and when and how it did is its word. */
const importedText = (cards: readonly RunCard[]): readonly string[] => {
  const runs = cards.flatMap(({ suite, name, record: { imported } }) =>
    imported === undefined
      ? []
      : [`- ${suite}: ${name} (${imported.answers} answers, ${imported.judgements} judgements)`],
  )
  return runs.length === 0
    ? []
    : [
        `## Imported replies\n\nThese runs rest on replies that were taken from published files, not asked for by who made this release.\n\n${runs.join('\n')}`,
      ]
}
