/**
 * Porter's stemmer with the changes that NLTK makes by default, which ROUGE's reference implementation uses
 * (HELM.md T17). It differs from the published algorithm and from most JavaScript packages.
 */

/** Words whose stem is fixed. */
const FIXED: ReadonlyMap<string, string> = new Map([
  ['sky', 'sky'],
  ['skies', 'sky'],
  ['dying', 'die'],
  ['lying', 'lie'],
  ['tying', 'tie'],
  ['news', 'news'],
  ['inning', 'inning'],
  ['innings', 'inning'],
  ['outing', 'outing'],
  ['outings', 'outing'],
  ['canning', 'canning'],
  ['cannings', 'canning'],
  ['howe', 'howe'],
  ['proceed', 'proceed'],
  ['exceed', 'exceed'],
  ['succeed', 'succeed'],
])

type Rule = readonly [suffix: string, replacement: string]

const STEP_1A: readonly Rule[] = [
  ['sses', 'ss'],
  ['ies', 'i'],
  ['ss', 'ss'],
  ['s', ''],
]

const STEP_2: readonly Rule[] = [
  ['ational', 'ate'],
  ['tional', 'tion'],
  ['enci', 'ence'],
  ['anci', 'ance'],
  ['izer', 'ize'],
  ['bli', 'ble'],
  ['alli', 'al'],
  ['entli', 'ent'],
  ['eli', 'e'],
  ['ousli', 'ous'],
  ['ization', 'ize'],
  ['ation', 'ate'],
  ['ator', 'ate'],
  ['alism', 'al'],
  ['iveness', 'ive'],
  ['fulness', 'ful'],
  ['ousness', 'ous'],
  ['aliti', 'al'],
  ['iviti', 'ive'],
  ['biliti', 'ble'],
  ['fulli', 'ful'],
]

const STEP_3: readonly Rule[] = [
  ['icate', 'ic'],
  ['ative', ''],
  ['alize', 'al'],
  ['iciti', 'ic'],
  ['ical', 'ic'],
  ['ful', ''],
  ['ness', ''],
]

/** Suffixes that step 4 drops; `ement` stands before `ment` before `ent`, since the first that fits decides. */
const STEP_4: readonly string[] = [
  'al',
  'ance',
  'ence',
  'er',
  'ic',
  'able',
  'ible',
  'ant',
  'ement',
  'ment',
  'ent',
  'ion',
  'ou',
  'ism',
  'ate',
  'iti',
  'ous',
  'ive',
  'ize',
]

const isVowelLetter = (letter: string | undefined): boolean =>
  letter === 'a' || letter === 'e' || letter === 'i' || letter === 'o' || letter === 'u'

/** A `y` is a consonant at the start and after a vowel. Digits count as consonants. */
const isConsonant = (word: string, index: number): boolean => {
  const letter = word[index]
  if (letter !== 'y') return !isVowelLetter(letter)
  // A run of y alternates, so its length decides; walking it keeps long runs off the call stack.
  let start = index
  while (start > 0 && word[start - 1] === 'y') start--
  const first = start === 0 || isVowelLetter(word[start - 1])
  return (index - start) % 2 === 0 ? first : !first
}

/** Porter's m: how often a vowel is followed by a consonant. */
const measure = (stem: string): number => {
  let count = 0
  let afterVowel = false
  for (let index = 0; index < stem.length; index++) {
    const consonant = isConsonant(stem, index)
    if (consonant && afterVowel) count++
    afterVowel = !consonant
  }
  return count
}

const hasVowel = (stem: string): boolean => {
  for (let index = 0; index < stem.length; index++) if (!isConsonant(stem, index)) return true
  return false
}

const endsInDoubleConsonant = (word: string): boolean =>
  word.length >= 2 && word.at(-1) === word.at(-2) && isConsonant(word, word.length - 1)

/** Porter's *o, consonant-vowel-consonant with the last not w, x or y; NLTK adds two-letter vowel-consonant. */
const endsInShortSyllable = (word: string): boolean => {
  const last = word.length - 1
  if (last === 1) return !isConsonant(word, 0) && isConsonant(word, 1)
  return (
    last >= 2 &&
    isConsonant(word, last - 2) &&
    !isConsonant(word, last - 1) &&
    isConsonant(word, last) &&
    !'wxy'.includes(word.charAt(last))
  )
}

/** Applies the first rule whose suffix fits; when its condition fails, the step is over. */
const replaceSuffix = (
  word: string,
  rules: readonly Rule[],
  condition: (stem: string) => boolean,
): string => {
  for (const [suffix, replacement] of rules) {
    if (!word.endsWith(suffix)) continue
    const stem = word.slice(0, word.length - suffix.length)
    return condition(stem) ? stem + replacement : word
  }
  return word
}
const hasMeasure = (stem: string): boolean => measure(stem) > 0

const step1a = (word: string): string => {
  if (word.length === 4 && word.endsWith('ies')) return `${word.slice(0, -3)}ie`
  return replaceSuffix(word, STEP_1A, () => true)
}

const step1b = (word: string): string => {
  if (word.endsWith('ied')) return word.slice(0, -3) + (word.length === 4 ? 'ie' : 'i')
  if (word.endsWith('eed')) return hasMeasure(word.slice(0, -3)) ? word.slice(0, -1) : word
  const suffix = word.endsWith('ed') ? 2 : word.endsWith('ing') ? 3 : 0
  const stem = word.slice(0, word.length - suffix)
  if (suffix === 0 || !hasVowel(stem)) return word
  if (stem.endsWith('at') || stem.endsWith('bl') || stem.endsWith('iz')) return `${stem}e`
  if (endsInDoubleConsonant(stem))
    return 'lsz'.includes(stem.charAt(stem.length - 1)) ? stem : stem.slice(0, -1)
  return measure(stem) === 1 && endsInShortSyllable(stem) ? `${stem}e` : stem
}

const step1c = (word: string): string => {
  const stem = word.slice(0, -1)
  return word.endsWith('y') && stem.length > 1 && isConsonant(stem, stem.length - 1) ? `${stem}i` : word
}

const step2 = (word: string): string => {
  if (word.endsWith('alli') && hasMeasure(word.slice(0, -4))) return step2(word.slice(0, -2))
  if (word.endsWith('logi')) return hasMeasure(word.slice(0, -3)) ? word.slice(0, -1) : word
  return replaceSuffix(word, STEP_2, hasMeasure)
}

const step4 = (word: string): string => {
  const suffix = STEP_4.find((candidate) => word.endsWith(candidate))
  if (suffix === undefined) return word
  const stem = word.slice(0, word.length - suffix.length)
  if (measure(stem) <= 1) return word
  return suffix === 'ion' && !stem.endsWith('s') && !stem.endsWith('t') ? word : stem
}

const step5 = (word: string): string => {
  let result = word
  if (word.endsWith('e')) {
    const stem = word.slice(0, -1)
    const count = measure(stem)
    if (count > 1 || (count === 1 && !endsInShortSyllable(stem))) result = stem
  }
  return result.endsWith('ll') && measure(result.slice(0, -1)) > 1 ? result.slice(0, -1) : result
}

/** Stem of a lower-case word. */
export const stem = (word: string): string => {
  const fixed = FIXED.get(word)
  if (fixed !== undefined) return fixed
  if (word.length <= 2) return word
  const afterStep2 = step2(step1c(step1b(step1a(word))))
  return step5(step4(replaceSuffix(afterStep2, STEP_3, hasMeasure)))
}
