/** Fills `{{name}}` from the variables; an unknown name renders empty and is reported each time. */
export function renderTemplate(
  template: string,
  variables: Readonly<Record<string, string>>,
  onUnknown: (name: string) => void = () => undefined,
): string {
  return template.replace(/\{\{\s*([\w.-]+)\s*\}\}/g, (_match, name: string) => {
    if (Object.hasOwn(variables, name)) return variables[name] as string;
    onUnknown(name);
    return '';
  });
}
