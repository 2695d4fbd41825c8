/** Names that take another room than their number of letters says. */
export const ODD_NAMES: readonly string[] = [
  'نموذج طبي كبير جدا للغة العربية وله اسم أطول من العمود الذي يقف فيه',
  '通义千问医疗大模型超长名称测试版本二〇二六年一月',
  'MMMM WWWW @@@@ MMMM',
  'A model whose name is so long that no column of any board could ever hold it (1234B)',
  '<b>Bold</b> & "quoted"',
  'Ünïcödé 🩺👩‍⚕️',
  'iiillliii',
  'x',
]
