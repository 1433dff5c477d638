#include "metile/row.h"

// LayerNorm of each row of `width` columns:
//   mean = mean(x), rstd = 1 / sqrt(mean((x - mean)²) + epsilon)
//   y = (x - mean) · rstd · weight + bias, without a weight times 1, without a bias plus 0
//
// A float cannot hold the mean of a row whose spread is near the spacing of floats there. So the mean is kept in two
// parts, statistics[row][0] its float and statistics[row][1] what that missed (the mean of x - mean, which costs one more
// sum in a pass that is made anyway); the variance is corrected by it. statistics[row][2] is rstd.
kernel void layer_norm_forward(
    device const STORAGE* source [[buffer(0)]],
    device const PARAMETER* weight [[buffer(1)]],
    device const PARAMETER* bias [[buffer(2)]],
    device STORAGE* output [[buffer(3)]],
    device float* statistics [[buffer(4)]],
    constant uint& row_count [[buffer(5)]],
    constant uint& width [[buffer(6)]],
    constant ulong& source_stride [[buffer(7)]],
    constant float& epsilon [[buffer(8)]],
    constant uint& has_weight [[buffer(9)]],
    constant uint& has_bias [[buffer(10)]],
    ROW_ARGS) {
  Team team(scratch, lane, simdgroup);
  Rows rows(row_count, group, groups);
  Columns columns(width, tid);
  Row<STORAGE> x(source, columns, source_stride);
  Weight<PARAMETER> w(weight, columns, has_weight, Absent::ones), b(bias, columns, has_bias, Absent::zeros);
  RowOut<STORAGE> y(output, columns, width, rows);
  const float share = 1.0f / float(width);
  x.fetch(rows.first, rows);
  FOR_ROWS(row, rows) {
    x.open(row);
    y.open(row);
    Sum total;
    FOR_TILES(columns) FOR_COLUMNS(i, columns, total) total.add(i, x[i]);
    const float mean = team.sum(total) * share;
    Sum distances, squares;
    FOR_TILES(columns) FOR_COLUMNS(i, columns, distances, squares) {
      const float distance = x[i] - mean;
      distances.add(i, distance);
      squares.add(i, distance, distance);
    }
    x.fetch(row + rows.step, rows);
    const float2 sums = team.sum(distances, squares);
    const float missed = sums.x * share, variance = sums.y * share - missed * missed;
    const float scale = rsqrt((variance < 0.0f ? 0.0f : variance) + epsilon); // a NaN is not below 0
    if (tid == 0) {
      device float* saved = statistics + (ulong)row * 3;
      saved[0] = mean;
      saved[1] = missed;
      saved[2] = scale;
    }
    const float shift = -missed * scale; // (x - mean - missed) * rstd as one step from x - mean
    FOR_TILES_AGAIN(columns) FOR_COLUMNS(i, columns, y, x) y.set(i, fma(fma(x[i] - mean, scale, shift), w[i], b[i]));
  }
}

// With n = (x - mean) · rstd and m = dy · weight:
//   dx = rstd · (m - mean(m) - n · mean(m · n))
//   parts[group][0] = Σ over the rows of the group of dy · n, parts[group][1] = Σ dy: column_sums adds them up to dweight
//   and dbias
kernel void layer_norm_backward(
    device const COTANGENT* cotangent [[buffer(0)]],
    device const STORAGE* source [[buffer(1)]],
    device const PARAMETER* weight [[buffer(2)]],
    device const float* statistics [[buffer(3)]],
    device GRADIENT* gradient [[buffer(4)]],
    device float* parts [[buffer(5)]],
    constant uint& row_count [[buffer(6)]],
    constant uint& width [[buffer(7)]],
    constant ulong& cotangent_stride [[buffer(8)]],
    constant ulong& source_stride [[buffer(9)]],
    constant uint& has_weight [[buffer(10)]],
    constant uint& has_gradient [[buffer(11)]],
    constant uint& has_parts [[buffer(12)]],
    ROW_ARGS) {
  Team team(scratch, lane, simdgroup);
  Rows rows(row_count, group, groups);
  Columns columns(width, tid);
  Row<COTANGENT> g(cotangent, columns, cotangent_stride);
  Row<STORAGE> x(source, columns, source_stride);
  Weight<PARAMETER> w(weight, columns, has_weight, Absent::ones);
  RowValues<3> saved(statistics);
  RowOut<GRADIENT> dx(gradient, columns, width, rows, has_gradient);
  ColumnSums dw(parts, columns, 2 * group, has_parts, scratch), db(parts, columns, 2 * group + 1, has_parts, scratch);
  const float share = 1.0f / float(width);
  saved.fetch(rows.first, rows);
  g.fetch(rows.first, rows);
  x.fetch(rows.first, rows);
  FOR_ROWS(row, rows) {
    g.open(row);
    x.open(row);
    dx.open(row);
    saved.open(row);
    const float mean = saved[0], scale = saved[2], shift = -saved[1] * scale;
    Sum total, dot;
    FOR_TILES(columns) FOR_COLUMNS(i, columns, total, dot, dw, db) {
      const float n = fma(x[i] - mean, scale, shift), dy = g[i], m = dy * w[i];
      total.add(i, m);
      dot.add(i, m, n);
      dw.add(i, dy, n);
      db.add(i, dy);
    }
    saved.fetch(row + rows.step, rows);
    g.fetch(row + rows.step, rows);
    x.fetch(row + rows.step, rows);
    const float2 sums = team.sum(total, dot);
    const float level = sums.x * share, pull = sums.y * share;
    if (has_gradient) {
      FOR_TILES_AGAIN(columns) FOR_COLUMNS(i, columns, dx, g, x) {
        dx.set(i, scale * fma(fma(x[i] - mean, scale, shift), -pull, g[i] * w[i] - level));
      }
    }
  }
  dw.store();
  db.store();
}
