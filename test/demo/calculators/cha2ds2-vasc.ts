import type { Calculator } from '../calculator.ts'
import { drawPerson, type Sex } from '../person.ts'

/** Points from 0 to 9. */
export const cha2ds2Vasc = (patient: {
  age: number
  sex: Sex
  heartFailure: boolean
  hypertension: boolean
  diabetes: boolean
  stroke: boolean
  vascularDisease: boolean
}): number =>
  Number(patient.heartFailure) +
  Number(patient.hypertension) +
  (patient.age >= 75 ? 2 : patient.age >= 65 ? 1 : 0) +
  Number(patient.diabetes) +
  2 * Number(patient.stroke) +
  Number(patient.vascularDisease) +
  Number(patient.sex === 'female')

export const cha2ds2VascCalculator: Calculator = {
  id: 'cha2ds2_vasc',
  name: 'CHA₂DS₂-VASc score',
  citation: 'Lip GYH, Nieuwlaat R, Pisters R, et al. Chest 2010;137:263-272',
  question: 'How many points is the CHA₂DS₂-VASc score? Give a whole number from 0 to 9.',
  decimals: 0,
  draw: (draw) => {
    const { age, sex, who, Who, his } = drawPerson(draw, 52, 86)
    const findings = {
      heartFailure: draw.coin(),
      hypertension: draw.coin(),
      diabetes: draw.coin(),
      stroke: draw.coin(),
      vascularDisease: draw.coin(),
    }
    const history = [
      findings.heartFailure ? 'heart failure' : 'no heart failure',
      findings.hypertension ? 'treated hypertension' : 'normal blood pressure without treatment',
      findings.diabetes ? 'diabetes' : 'no diabetes',
      findings.stroke
        ? 'an ischaemic stroke in the past'
        : 'no stroke, transient ischaemic attack or embolism',
      findings.vascularDisease ? 'a previous myocardial infarction' : 'no vascular disease',
    ].join(', ')
    return {
      value: cha2ds2Vasc({ age, sex, ...findings }),
      vignettes: [
        `Atrial fibrillation is found in ${who}. History: ${history}.`,
        `${Who} asks whether ${his} atrial fibrillation needs an anticoagulant. The record lists ${history}.`,
        `At a check of ${his} pacemaker, ${who} turns out to have atrial fibrillation. The history notes ${history}.`,
      ],
    }
  },
}
