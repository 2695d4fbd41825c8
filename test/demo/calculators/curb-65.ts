import { lab, type Calculator } from '../calculator.ts'
import { drawPerson } from '../person.ts'

/** Points from 0 to 5; urea in mmol/L, breaths a minute, pressures in mm Hg. */
export const curb65 = (patient: {
  confused: boolean
  urea: number
  respiratoryRate: number
  systolic: number
  diastolic: number
  age: number
}): number =>
  Number(patient.confused) +
  Number(patient.urea > 7) +
  Number(patient.respiratoryRate >= 30) +
  Number(patient.systolic < 90 || patient.diastolic <= 60) +
  Number(patient.age >= 65)

const PRESSURES = [
  [84, 52],
  [86, 48],
  [104, 56],
  [118, 72],
  [126, 74],
  [134, 82],
] as const

export const curb65Calculator: Calculator = {
  id: 'curb_65',
  name: 'CURB-65 score',
  citation: 'Lim WS, van der Eerden MM, Laing R, et al. Thorax 2003;58:377-382',
  question: 'How many points is the CURB-65 score? Give a whole number from 0 to 5.',
  decimals: 0,
  draw: (draw) => {
    const { age, who, Who, He } = drawPerson(draw, 46, 90)
    const confused = draw.coin()
    const urea = draw.pick([4.2, 5.6, 6.3, 8.1, 9.7, 12.4])
    const respiratoryRate = draw.pick([18, 22, 26, 32, 34])
    const [systolic, diastolic] = draw.pick(PRESSURES)
    const mind = confused ? 'newly confused' : 'alert and orientated'
    return {
      value: curb65({ confused, urea, respiratoryRate, systolic, diastolic, age }),
      vignettes: [
        `${Who} has pneumonia on the chest X-ray and is ${mind}. Respiratory rate is ${respiratoryRate} per minute, blood pressure ${systolic}/${diastolic} mm Hg and urea ${lab(urea)} mmol/L.`,
        `The emergency department admits ${who} with community-acquired pneumonia: urea ${lab(urea)} mmol/L, blood pressure ${systolic}/${diastolic} mm Hg, ${respiratoryRate} breaths per minute, ${mind}.`,
        `${Who} has had fever and a productive cough for two days, and the X-ray shows consolidation. ${He} is ${mind}. Blood pressure is ${systolic}/${diastolic} mm Hg, urea ${lab(urea)} mmol/L and respiratory rate ${respiratoryRate} per minute.`,
      ],
    }
  },
}
