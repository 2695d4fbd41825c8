import type { Calculator } from './calculator.ts'
import { alveolarArterialGradientCalculator } from './calculators/alveolar-arterial-gradient.ts'
import { anionGapCalculator } from './calculators/anion-gap.ts'
import { bodyMassIndexCalculator } from './calculators/body-mass-index.ts'
import { bodySurfaceAreaCalculator } from './calculators/body-surface-area.ts'
import { centorCalculator } from './calculators/centor.ts'
import { cha2ds2VascCalculator } from './calculators/cha2ds2-vasc.ts'
import { childPughCalculator } from './calculators/child-pugh.ts'
import { ckdEpi2021Calculator } from './calculators/ckd-epi-2021.ts'
import { cockcroftGaultCalculator } from './calculators/cockcroft-gault.ts'
import { correctedCalciumCalculator } from './calculators/corrected-calcium.ts'
import { curb65Calculator } from './calculators/curb-65.ts'
import { fractionalSodiumExcretionCalculator } from './calculators/fractional-sodium-excretion.ts'
import { glasgowComaScaleCalculator } from './calculators/glasgow-coma-scale.ts'
import { hasBledCalculator } from './calculators/has-bled.ts'
import { idealBodyWeightCalculator } from './calculators/ideal-body-weight.ts'
import { ldlFriedewaldCalculator } from './calculators/ldl-friedewald.ts'
import { maintenanceFluidsCalculator } from './calculators/maintenance-fluids.ts'
import { meanArterialPressureCalculator } from './calculators/mean-arterial-pressure.ts'
import { meldNaCalculator } from './calculators/meld-na.ts'
import { meldCalculator } from './calculators/meld.ts'
import { qtcBazettCalculator } from './calculators/qtc-bazett.ts'
import { qtcFridericiaCalculator } from './calculators/qtc-fridericia.ts'
import { serumOsmolalityCalculator } from './calculators/serum-osmolality.ts'
import { wellsPulmonaryEmbolismCalculator } from './calculators/wells-pulmonary-embolism.ts'

/** Every calculator of demo_clinical_calculations, in the order of its rows. */
export const CALCULATORS: readonly Calculator[] = [
  cockcroftGaultCalculator,
  ckdEpi2021Calculator,
  bodyMassIndexCalculator,
  bodySurfaceAreaCalculator,
  idealBodyWeightCalculator,
  correctedCalciumCalculator,
  anionGapCalculator,
  serumOsmolalityCalculator,
  qtcBazettCalculator,
  qtcFridericiaCalculator,
  meldCalculator,
  meldNaCalculator,
  childPughCalculator,
  cha2ds2VascCalculator,
  hasBledCalculator,
  curb65Calculator,
  wellsPulmonaryEmbolismCalculator,
  meanArterialPressureCalculator,
  ldlFriedewaldCalculator,
  alveolarArterialGradientCalculator,
  centorCalculator,
  fractionalSodiumExcretionCalculator,
  glasgowComaScaleCalculator,
  maintenanceFluidsCalculator,
]
