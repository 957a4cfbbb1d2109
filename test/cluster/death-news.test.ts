import { expect, test } from 'vitest';
import { DeathNews } from '../../src/cluster/death-news.ts';

test('whoever listens hears of each death, and of those before it listened once', () => {
  const news = new DeathNews();
  const heard: string[] = [];
  news.listen(() => heard.push('early'));
  expect(heard).toEqual([]);
  news.tell();
  news.tell();
  news.listen(() => heard.push('late'));
  expect(heard).toEqual(['early', 'early', 'late']);
  news.tell();
  expect(heard.slice(3)).toEqual(['early', 'late']);
});
