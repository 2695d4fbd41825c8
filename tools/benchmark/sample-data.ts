import type { GivenTable } from '../../benchmarks/sources/given/given-table.ts'
import { templateFields } from '../../benchmarks/python/templates/format.ts'

export interface SampleData {
  readonly text: string
  readonly prompt: string
  /** What its author has to mend. */
  readonly notes?: readonly string[]
}

/** Rows to replace: short answers, or answers of a sentence. */
export const sampleData = (isText: boolean): SampleData =>
  isText
    ? {
        text: `note,correct_answer
"Three days of cough, no fever. Chest clear. Fluids, back if short of breath.","Cough without fever; fluids."
"Came for a rash on both arms since a new soap. Cream twice a day.","Rash from a new soap; cream."
"Blood pressure 150/95 at two visits. Walks daily. Starts amlodipine.","High blood pressure; starts amlodipine."
`,
        prompt: 'Note: {note}\nSum up in one sentence what the patient has and what is done about it.',
      }
    : {
        text: `note,correct_answer,incorrect_answers
Smokes ten a day.,yes,"[""no""]"
"Stopped in 2009, none since.",no,"[""yes""]"
Never smoked.,no,"[""yes""]"
`,
        prompt: 'Note: {note}\nDoes the patient smoke now? Answer yes or no.\nAnswer:',
      }

/** Columns that give references and stand in no prompt. */
const ANSWERS = new Set(['correct_answer', 'incorrect_answers'])

/** The author's own table, with a prompt that shows all its other columns that a prompt can name. */
export const givenData = ({ columns, text, notes }: GivenTable): SampleData => {
  const asked = columns.filter((column) => !ANSWERS.has(column))
  const likeIt = columns.find((column) => /^\W*correct[\W_]*answer\W*$/i.test(column))
  const nameless = asked.filter((column) => !canBeNamed(column))
  return {
    text,
    prompt: `${asked
      .filter(canBeNamed)
      .map((column) => `${column}: {${column}}\n`)
      .join('')}\nSay here what is asked.`,
    notes: [
      ...notes,
      ...(columns.includes('correct_answer')
        ? []
        : [
            `It has no column correct_answer${likeIt === undefined ? '' : ` (${JSON.stringify(likeIt)} is another name)`}, which every metric but jury_score needs: rename the column of the right answers, and take it out of prompt.txt.`,
          ]),
      ...(nameless.length === 0
        ? []
        : [
            `Left out of prompt.txt, which cannot name them: ${nameless.map((column) => JSON.stringify(column)).join(', ')}. Rename what it should hold.`,
          ]),
    ],
  }
}

const canBeNamed = (column: string): boolean => {
  try {
    return templateFields(`{${column}}`)[0] === column
  } catch {
    return false
  }
}
