import { lab, type Calculator } from '../calculator.ts'
import { drawPerson, type Sex } from '../person.ts'

/** Estimated GFR in mL/min/1.73 m²; creatinine in mg/dL. */
export const ckdEpi2021 = (patient: { age: number; creatinine: number; sex: Sex }): number => {
  const female = patient.sex === 'female'
  const ratio = patient.creatinine / (female ? 0.7 : 0.9)
  const low = Math.min(ratio, 1) ** (female ? -0.241 : -0.302)
  const high = Math.max(ratio, 1) ** -1.2
  return 142 * low * high * 0.9938 ** patient.age * (female ? 1.012 : 1)
}

export const ckdEpi2021Calculator: Calculator = {
  id: 'ckd_epi_2021',
  name: 'Estimated GFR (CKD-EPI 2021, creatinine)',
  citation: 'Inker LA, Eneanya ND, Coresh J, et al. N Engl J Med 2021;385:1737-1749',
  question:
    'What is the estimated glomerular filtration rate by the 2021 CKD-EPI creatinine equation in mL/min/1.73 m²? Give a whole number.',
  decimals: 0,
  draw: (draw) => {
    const { age, sex, who, Who, He } = drawPerson(draw, 24, 84)
    const creatinine = draw.decimal(0.6, 2.9, 1)
    return {
      value: ckdEpi2021({ age, sex, creatinine }),
      vignettes: [
        `${Who} with type 2 diabetes attends a yearly check. Serum creatinine is ${lab(creatinine)} mg/dL.`,
        `Routine bloods before a CT scan with contrast show a serum creatinine of ${lab(creatinine)} mg/dL in ${who}.`,
        `${Who} is referred to the kidney clinic. ${He} has no symptoms; serum creatinine is ${lab(creatinine)} mg/dL on two occasions.`,
      ],
    }
  },
}
