import { expect, it } from 'vitest';

it('stands', () => {
  expect(true).toBe(true);
});
