import type { Calculator } from '../calculator.ts'
import { drawPerson } from '../person.ts'

/** mm Hg; both pressures in mm Hg. */
export const meanArterialPressure = (systolic: number, diastolic: number): number =>
  diastolic + (systolic - diastolic) / 3

export const meanArterialPressureCalculator: Calculator = {
  id: 'mean_arterial_pressure',
  name: 'Mean arterial pressure',
  citation: 'Sesso HD, Stampfer MJ, Rosner B, et al. Hypertension 2000;36:801-807',
  question:
    'What is the mean arterial pressure in mm Hg, as diastolic pressure plus a third of the pulse pressure? Give a whole number.',
  decimals: 0,
  draw: (draw) => {
    const { who, Who, His } = drawPerson(draw, 27, 86)
    const diastolic = draw.whole(42, 104)
    const systolic = diastolic + draw.whole(28, 78)
    return {
      value: meanArterialPressure(systolic, diastolic),
      vignettes: [
        `${Who} is watched closely after a brain haemorrhage. Blood pressure is ${systolic}/${diastolic} mm Hg.`,
        `After thrombolysis for a stroke, ${who} has a blood pressure of ${systolic}/${diastolic} mm Hg.`,
        `${Who} wakes after a carotid operation. ${His} arterial line reads ${systolic}/${diastolic} mm Hg.`,
      ],
    }
  },
}
