import { expect, test } from 'vitest';
import { type CurvePoint, operatingOf } from '../bench/turns/curve.ts';

const at = (decisionMs: number, cutOffs: number): CurvePoint => ({
  engine: 'one',
  separation: 1.5,
  stretch: 1,
  audible: cutOffs / 2,
  cutOffs,
  decisionMs,
  gapP50Ms: decisionMs + 600,
  gapP95Ms: decisionMs + 900,
});

test('a family of points is read in between, and not beyond its ends', () => {
  const operating = operatingOf([at(800, 0.02), at(400, 0.1), at(500, 0.06)]);
  expect(operating.cutOffsAt300Ms).toBeUndefined();
  expect(operating.cutOffsAt600Ms).toBeCloseTo(0.06 - 0.04 / 3);
  expect(operating.decisionMsAt5Percent).toBeCloseTo(575);
  expect(operating.audibleAtGap1000Ms).toBeCloseTo(0.05);
  expect(operating.gapMsAtAudible2_5Percent).toBeCloseTo(1175);
});
