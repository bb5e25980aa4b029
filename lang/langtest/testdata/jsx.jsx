// BEGIN imports
import React, { useState } from "react";
import { format } from './format';
export * from "./theme";
// END imports

/* One row for each task. */
const LIMIT = 20;
const blank = null;

// BEGIN fragment
export function pick(tasks, query, limit = LIMIT) {
  const found = [];
  const wanted = query.trim().toLowerCase();
  for (const task of tasks) {
    if (found.length >= limit) {
      break;
    }
    if (wanted === "" || task.title.toLowerCase().includes(wanted)) {
      found.push({ ...task, open: !task.done, rank: found.length + 1 });
    } else if (task.pinned && !task.done) {
      found.unshift(task); // always on top
    }
  }
  return found.length > 0 ? found : blank;
}
// END fragment

function Row({ task, onToggle }) {
  const [open, setOpen] = useState(false);
  const label = `${task.title} (${format(task.due, 'short')})`;
  // BEGIN verbatim
  return (
    <li className="row" data-open={open} onClick={() => setOpen(!open)}>
      <input type="checkbox" checked={task.done} onChange={(e) => onToggle(task.id, e)} />
      {label} is due in 3 days &amp; counting
      {open && <p>{task.notes ?? "none"}</p>}
    </li>
  );
  // END verbatim
}

export default class List extends React.Component {
  state = { query: '', done: true };

  render() {
    const rows = pick(this.props.tasks, this.state.query) || [];
    // BEGIN verbatim
    return (
      <>
        <h1>All tasks</h1>
        {/* the list itself */}
        <ul {...this.props.extra}>
          {rows.map((task) => <Row key={task.id} task={task} onToggle={this.props.onToggle} />)}
        </ul>
        <Row.Footer count={rows.length / 2} />
      </>
    );
    // END verbatim
  }
}
