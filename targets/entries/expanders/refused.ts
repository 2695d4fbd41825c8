import { str } from '../../../benchmarks/python/numbers/number.ts'
import { ProblemError } from '../../../cache/problems/problem.ts'
import type { Expander } from './expander.ts'

/** @throws ProblemError `targets/unsupported-expander`: a run without what the entry asks for would bear a wrong name */
const refused =
  (key: string, why: string, remedy: string): Expander =>
  (_, value, { where }) => {
    throw new ProblemError({
      code: 'targets/unsupported-expander',
      message: `${key}=${str(value)}: ${why}`,
      where,
      remedy,
    })
  }

const EFFICIENCY = "only HELM's synthetic efficiency scenario takes it; no scenario of MedHELM does"

/** Run expanders of HELM that nothing here can do (HELM.md T5), by key. */
export const REFUSED_EXPANDERS: Readonly<Record<string, Expander>> = {
  data_augmentation: refused(
    'data_augmentation',
    "HELM's perturbations draw words from WordNet and from name and dialect lists that it downloads, and no suite or table of MedHELM uses them: they are not built here",
    'Take it out of the entry; for a perturbed run, run that entry with helm-run of crfm-helm.',
  ),
  process_output: refused(
    'process_output',
    "it names a Python function of HELM's, which can't run here",
    'Take it out of the entry; reasoning that a server sends apart is never part of an answer.',
  ),
  tokenizer: refused('tokenizer', EFFICIENCY, 'Take it out; a deployment names its tokenizer itself.'),
  num_prompt_tokens: refused('num_prompt_tokens', EFFICIENCY, 'Take it out of the entry.'),
  chatml: refused(
    'chatml',
    "HELM's own expander takes no value, so no entry can use it",
    'Take it out of the entry.',
  ),
}
