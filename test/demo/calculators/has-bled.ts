import type { Calculator } from '../calculator.ts'
import { drawPerson } from '../person.ts'

/** Points from 0 to 9; systolic pressure in mm Hg. */
export const hasBled = (patient: {
  age: number
  systolic: number
  kidneyDisease: boolean
  liverDisease: boolean
  stroke: boolean
  bleeding: boolean
  labileInr: boolean
  antiplatelet: boolean
  alcohol: boolean
}): number =>
  Number(patient.systolic > 160) +
  Number(patient.kidneyDisease) +
  Number(patient.liverDisease) +
  Number(patient.stroke) +
  Number(patient.bleeding) +
  Number(patient.labileInr) +
  Number(patient.age > 65) +
  Number(patient.antiplatelet) +
  Number(patient.alcohol)

const history = (patient: Omit<Parameters<typeof hasBled>[0], 'age' | 'systolic'>): string =>
  [
    patient.kidneyDisease ? 'long-term dialysis' : 'normal kidney function',
    patient.liverDisease ? 'cirrhosis' : 'normal liver tests',
    patient.stroke ? 'a past stroke' : 'no stroke',
    patient.bleeding ? 'a major bleed last year' : 'no bleeding',
    patient.labileInr ? 'an unstable INR' : 'an INR that stays in range',
    patient.antiplatelet ? 'daily aspirin' : 'no antiplatelet drug or NSAID',
    patient.alcohol ? '14 alcoholic drinks a week' : 'no alcohol',
  ].join(', ')

export const hasBledCalculator: Calculator = {
  id: 'has_bled',
  name: 'HAS-BLED score',
  citation: 'Pisters R, Lane DA, Nieuwlaat R, et al. Chest 2010;138:1093-1100',
  question: 'How many points is the HAS-BLED score? Give a whole number from 0 to 9.',
  decimals: 0,
  draw: (draw) => {
    // Nobody of 65: authors differ on whether that age counts.
    const { age, who, Who, He } = draw.coin() ? drawPerson(draw, 54, 64) : drawPerson(draw, 67, 88)
    const systolic = draw.pick([118, 126, 134, 142, 172, 178])
    const findings = {
      kidneyDisease: draw.coin(),
      liverDisease: draw.coin(),
      stroke: draw.coin(),
      bleeding: draw.coin(),
      labileInr: draw.coin(),
      antiplatelet: draw.coin(),
      alcohol: draw.coin(),
    }
    return {
      value: hasBled({ age, systolic, ...findings }),
      vignettes: [
        `${Who} takes warfarin for atrial fibrillation. Systolic blood pressure is ${systolic} mm Hg. The record shows ${history(findings)}.`,
        `The anticoagulation clinic reviews ${who} on warfarin. History: ${history(findings)}. Systolic blood pressure today is ${systolic} mm Hg.`,
        `${Who} on warfarin is worried about bleeding. ${He} has a systolic blood pressure of ${systolic} mm Hg; the notes list ${history(findings)}.`,
      ],
    }
  },
}
