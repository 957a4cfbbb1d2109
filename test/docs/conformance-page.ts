import { WALK } from '../conformance/walk.ts';

const tidy = (text: string) => text.replaceAll('|', '\\|');

/** `docs/conformance.md`: the contract in its order, each row with the test that shows it. */
export function conformancePage(): string {
  const sections = Object.entries(WALK).map(([section, rows]) => {
    const lines = rows.map(
      ({ row, works, file, title }) =>
        `| ${tidy(row)} | ${tidy(works)} | \`${file}\`: ${tidy(title)} |`,
    );
    return `## ${section}\n\n| Row | Works | Test |\n|---|---|---|\n${lines.join('\n')}\n`;
  });
  return `# The contract, row by row

Made from \`test/conformance/walk.ts\` by \`npm run docs\`; a test checks that the page and the tests it names exist.

${sections.join('\n')}`;
}
