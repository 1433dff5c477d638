#include "metile/row.h"

// RMSNorm of each row of `width` columns:
//   rstd = 1 / sqrt(mean(x²) + epsilon)
//   y = x · rstd · (weight + offset), or x · rstd without a weight
// casting 0 rounds once, at the end; casting 1 rounds x · rstd to the storage type before the weight.
kernel void rms_norm_forward(
    device const STORAGE* source [[buffer(0)]],
    device const PARAMETER* weight [[buffer(1)]],
    device STORAGE* output [[buffer(2)]],
    device float* rstd [[buffer(3)]],
    constant uint& row_count [[buffer(4)]],
    constant uint& width [[buffer(5)]],
    constant ulong& source_stride [[buffer(6)]],
    constant float& epsilon [[buffer(7)]],
    constant float& offset [[buffer(8)]],
    constant uint& casting [[buffer(9)]],
    constant uint& has_weight [[buffer(10)]],
    ROW_ARGS) {
  Team team(scratch, lane, simdgroup);
  Rows rows(row_count, group, groups);
  Columns columns(width, tid);
  Row<STORAGE> x(source, columns, source_stride);
  Weight<PARAMETER> w(weight, columns, has_weight, Absent::ones);
  RowOut<STORAGE> y(output, columns, width, rows);
  const float shift = has_weight ? offset : 0.0f;
  x.fetch(rows.first, rows);
  FOR_ROWS(row, rows) {
    x.open(row);
    y.open(row);
    Sum squares;
    FOR_TILES(columns) FOR_COLUMNS(i, columns, squares) squares.add(i, x[i], x[i]);
    x.fetch(row + rows.step, rows);
    const float scale = rsqrt(team.sum(squares) / float(width) + epsilon);
    if (tid == 0) rstd[row] = scale;
    FOR_TILES_AGAIN(columns) {
      if (casting && sizeof(STORAGE) < sizeof(float)) {
        FOR_COLUMNS(i, columns, y, x) y.set(i, rounded<STORAGE>(x[i] * scale) * (w[i] + shift));
      } else {
        FOR_COLUMNS(i, columns, y, x) y.set(i, x[i] * scale * (w[i] + shift));
      }
    }
  }
}

// With m = dy · (weight + offset):
//   dx = rstd · (m - x · rstd² · mean(m · x))
//   parts[group] = Σ over the rows of the group of dy · x · rstd, which column_sums adds up to dweight
kernel void rms_norm_backward(
    device const COTANGENT* cotangent [[buffer(0)]],
    device const STORAGE* source [[buffer(1)]],
    device const PARAMETER* weight [[buffer(2)]],
    device const float* rstd [[buffer(3)]],
    device GRADIENT* gradient [[buffer(4)]],
    device float* parts [[buffer(5)]],
    constant uint& row_count [[buffer(6)]],
    constant uint& width [[buffer(7)]],
    constant ulong& cotangent_stride [[buffer(8)]],
    constant ulong& source_stride [[buffer(9)]],
    constant float& offset [[buffer(10)]],
    constant uint& has_weight [[buffer(11)]],
    constant uint& has_gradient [[buffer(12)]],
    constant uint& has_parts [[buffer(13)]],
    ROW_ARGS) {
  Team team(scratch, lane, simdgroup);
  Rows rows(row_count, group, groups);
  Columns columns(width, tid);
  Row<COTANGENT> g(cotangent, columns, cotangent_stride);
  Row<STORAGE> x(source, columns, source_stride);
  Weight<PARAMETER> w(weight, columns, has_weight, Absent::ones);
  RowValues<1> saved(rstd);
  RowOut<GRADIENT> dx(gradient, columns, width, rows, has_gradient);
  ColumnSums dw(parts, columns, group, has_parts, scratch);
  const float shift = has_weight ? offset : 0.0f;
  saved.fetch(rows.first, rows);
  g.fetch(rows.first, rows);
  x.fetch(rows.first, rows);
  FOR_ROWS(row, rows) {
    g.open(row);
    x.open(row);
    dx.open(row);
    saved.open(row);
    const float scale = saved[0];
    Sum dot;
    FOR_TILES(columns) FOR_COLUMNS(i, columns, dot, dw) {
      const float product = g[i] * x[i];
      dot.add(i, product, w[i] + shift);
      dw.add(i, product, scale);
    }
    saved.fetch(row + rows.step, rows);
    g.fetch(row + rows.step, rows);
    x.fetch(row + rows.step, rows);
    const float pull = team.sum(dot) / float(width) * scale * scale;
    if (has_gradient) {
      FOR_TILES_AGAIN(columns) FOR_COLUMNS(i, columns, dx, g, x) dx.set(i, scale * fma(x[i], -pull, g[i] * (w[i] + shift)));
    }
  }
  dw.store();
}
