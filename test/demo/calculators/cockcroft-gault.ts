import { lab, type Calculator } from '../calculator.ts'
import { drawPerson, type Sex } from '../person.ts'

/** Creatinine clearance in mL/min; weight in kg, creatinine in mg/dL. */
export const cockcroftGault = (patient: {
  age: number
  weight: number
  creatinine: number
  sex: Sex
}): number =>
  (((140 - patient.age) * patient.weight) / (72 * patient.creatinine)) * (patient.sex === 'female' ? 0.85 : 1)

export const cockcroftGaultCalculator: Calculator = {
  id: 'cockcroft_gault',
  name: 'Creatinine clearance (Cockcroft–Gault)',
  citation: 'Cockcroft DW, Gault MH. Nephron 1976;16:31-41',
  question:
    'What is the creatinine clearance by the Cockcroft–Gault formula in mL/min, using the weight given? Give a whole number.',
  decimals: 0,
  draw: (draw) => {
    const { age, sex, who, Who, He, his } = drawPerson(draw, 45, 88)
    const weight = draw.whole(48, 104)
    const creatinine = draw.decimal(0.7, 2.6, 1)
    return {
      value: cockcroftGault({ age, sex, weight, creatinine }),
      vignettes: [
        `${Who} weighing ${weight} kg is to start an oral anticoagulant. Serum creatinine is ${lab(creatinine)} mg/dL and has been stable for months.`,
        `Before the first dose of an antibiotic cleared by the kidneys, the ward pharmacist looks up ${who}: weight ${weight} kg, serum creatinine ${lab(creatinine)} mg/dL.`,
        `${Who} comes for a medication review. ${He} weighs ${weight} kg, and ${his} latest serum creatinine is ${lab(creatinine)} mg/dL.`,
      ],
    }
  },
}
