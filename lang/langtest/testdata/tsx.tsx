// BEGIN imports
import * as React from "react";
import type { Theme } from './theme';
// END imports

/* A table that can be sorted. */
type Order = 'up' | "down";

interface Props<T> {
  rows: readonly T[];
  columns: Array<keyof T>;
  theme?: Theme;
  onSort?: (column: keyof T, order: Order) => void;
}

const WIDTH: number = 0x40;
const pattern = /[0-9]+/g;
let last: string | null = null;

// BEGIN fragment
export function sorted<T>(rows: readonly T[], column: keyof T, order: Order): T[] {
  const copy: T[] = rows.slice();
  const sign = order === "up" ? 1 : -1;
  copy.sort((a: T, b: T): number => {
    const left = String(a[column]).toLowerCase();
    const right = String(b[column]).toLowerCase();
    if (left === right) {
      return 0; // stable
    }
    return left < right ? -sign : sign;
  });
  last = `${String(column)} ${order} of ${copy.length}`;
  return copy;
}
// END fragment

function Cell({ value, wide = false }: { value: unknown; wide?: boolean }): JSX.Element {
  // BEGIN verbatim
  return <td width={wide ? WIDTH * 2 : WIDTH}>{String(value).replace(pattern, "#") as string}</td>;
  // END verbatim
}

export class Table<T extends object> extends React.Component<Props<T>, { order: Order }> {
  state: { order: Order } = { order: 'up' };

  private flip = (column: keyof T): void => {
    const order = this.state.order === "up" ? "down" : "up";
    this.setState({ order });
    this.props.onSort?.(column, order);
  };

  render() {
    const { rows, columns, theme = undefined } = this.props;
    const shown = sorted(rows, columns[0]!, this.state.order);
    // BEGIN verbatim
    return (
      <table className={theme?.table} hidden={false || rows.length === 0}>
        <caption>Rows in order: {this.state.order}, {shown.length} of them</caption>
        <tbody>
          {shown.map((row, i) => (
            <tr key={i} onClick={() => this.flip(columns[0])}>
              {columns.map((c) => <Cell key={String(c)} value={row[c]} wide />)}
            </tr>
          ))}
        </tbody>
      </table>
    );
    // END verbatim
  }
}
