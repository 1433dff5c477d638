#include "metile/row.h"

// Residual addition and RMSNorm of each row of `width` columns:
//   s = x + r, sum = s rounded to the storage type
//   rstd = 1 / sqrt(mean(s²) + epsilon), y = s · rstd · (weight + offset), or s · rstd without a weight
// rounded_sum 1 normalises the rounded sum, 0 the unrounded one. casting as in rms_norm_forward.
kernel void add_rms_norm_forward(
    device const STORAGE* source [[buffer(0)]],
    device const STORAGE* residual [[buffer(1)]],
    device const PARAMETER* weight [[buffer(2)]],
    device STORAGE* sum [[buffer(3)]],
    device STORAGE* output [[buffer(4)]],
    device float* rstd [[buffer(5)]],
    constant uint& row_count [[buffer(6)]],
    constant uint& width [[buffer(7)]],
    constant ulong& source_stride [[buffer(8)]],
    constant ulong& residual_stride [[buffer(9)]],
    constant float& epsilon [[buffer(10)]],
    constant float& offset [[buffer(11)]],
    constant uint& casting [[buffer(12)]],
    constant uint& rounded_sum [[buffer(13)]],
    constant uint& has_weight [[buffer(14)]],
    constant uint& has_sum [[buffer(15)]],
    ROW_ARGS) {
  Team team(scratch, lane, simdgroup);
  Rows rows(row_count, group, groups);
  Columns columns(width, tid);
  Row<STORAGE> x(source, columns, source_stride), r(residual, columns, residual_stride);
  Weight<PARAMETER> w(weight, columns, has_weight, Absent::ones);
  RowOut<STORAGE> s(sum, columns, width, rows, has_sum), y(output, columns, width, rows);
  const float shift = has_weight ? offset : 0.0f;
  x.fetch(rows.first, rows);
  r.fetch(rows.first, rows);
  FOR_ROWS(row, rows) {
    x.open(row);
    r.open(row);
    s.open(row);
    y.open(row);
    Sum squares;
    FOR_TILES(columns) FOR_COLUMNS(i, columns, squares, s) {
      const float exact = x[i] + r[i], added = rounded_if<STORAGE>(rounded_sum, exact);
      s.set(i, exact);
      squares.add(i, added, added);
    }
    x.fetch(row + rows.step, rows);
    r.fetch(row + rows.step, rows);
    const float scale = rsqrt(team.sum(squares) / float(width) + epsilon);
    if (tid == 0) rstd[row] = scale;
    FOR_TILES_AGAIN(columns) {
      if ((casting || rounded_sum) && sizeof(STORAGE) < sizeof(float)) {
        FOR_COLUMNS(i, columns, y, x, r) {
          const float added = rounded_if<STORAGE>(rounded_sum, x[i] + r[i]);
          y.set(i, rounded_if<STORAGE>(casting, added * scale) * (w[i] + shift));
        }
      } else {
        FOR_COLUMNS(i, columns, y, x, r) y.set(i, (x[i] + r[i]) * scale * (w[i] + shift));
      }
    }
  }
}

// With s = x + r, in float and unrounded (no residual: source is s itself), and m = dy · (weight + offset):
//   dx = dr = rstd · (m - s · rstd² · mean(m · s)) + ds
//   parts[group] = Σ over the rows of the group of dy · s · rstd, which column_sums adds up to dweight
// Either cotangent may be absent and is 0 then.
kernel void add_rms_norm_backward(
    device const COTANGENT* cotangent [[buffer(0)]],
    device const COTANGENT* sum_cotangent [[buffer(1)]],
    device const STORAGE* source [[buffer(2)]],
    device const STORAGE* residual [[buffer(3)]],
    device const PARAMETER* weight [[buffer(4)]],
    device const float* rstd [[buffer(5)]],
    device GRADIENT* gradient [[buffer(6)]],
    device GRADIENT* residual_gradient [[buffer(7)]],
    device float* parts [[buffer(8)]],
    constant uint& row_count [[buffer(9)]],
    constant uint& width [[buffer(10)]],
    constant ulong& cotangent_stride [[buffer(11)]],
    constant ulong& sum_cotangent_stride [[buffer(12)]],
    constant ulong& source_stride [[buffer(13)]],
    constant ulong& residual_stride [[buffer(14)]],
    constant float& offset [[buffer(15)]],
    constant uint& has_cotangent [[buffer(16)]],
    constant uint& has_sum_cotangent [[buffer(17)]],
    constant uint& has_residual [[buffer(18)]],
    constant uint& has_weight [[buffer(19)]],
    constant uint& has_gradient [[buffer(20)]],
    constant uint& has_residual_gradient [[buffer(21)]],
    constant uint& has_parts [[buffer(22)]],
    ROW_ARGS) {
  Team team(scratch, lane, simdgroup);
  Rows rows(row_count, group, groups);
  Columns columns(width, tid);
  Row<COTANGENT> g(cotangent, columns, cotangent_stride, has_cotangent);
  Row<COTANGENT> gs(sum_cotangent, columns, sum_cotangent_stride, has_sum_cotangent);
  Row<STORAGE> x(source, columns, source_stride), r(residual, columns, residual_stride, has_residual);
  Weight<PARAMETER> w(weight, columns, has_weight, Absent::ones);
  RowValues<1> saved(rstd);
  RowOut<GRADIENT> dx(gradient, columns, width, rows, has_gradient);
  RowOut<GRADIENT> dr(residual_gradient, columns, width, rows, has_residual_gradient);
  ColumnSums dw(parts, columns, group, has_parts, scratch);
  const float shift = has_weight ? offset : 0.0f;
  saved.fetch(rows.first, rows);
  g.fetch(rows.first, rows);
  gs.fetch(rows.first, rows);
  x.fetch(rows.first, rows);
  r.fetch(rows.first, rows);
  FOR_ROWS(row, rows) {
    g.open(row);
    gs.open(row);
    x.open(row);
    r.open(row);
    dx.open(row);
    dr.open(row);
    saved.open(row);
    const float scale = saved[0];
    Sum dot;
    FOR_TILES(columns) FOR_COLUMNS(i, columns, dot, dw) {
      const float product = g[i] * (x[i] + r[i]);
      dot.add(i, product, w[i] + shift);
      dw.add(i, product, scale);
    }
    saved.fetch(row + rows.step, rows);
    g.fetch(row + rows.step, rows);
    gs.fetch(row + rows.step, rows);
    x.fetch(row + rows.step, rows);
    r.fetch(row + rows.step, rows);
    const float pull = team.sum(dot) / float(width) * scale * scale;
    if (has_gradient || has_residual_gradient) {
      FOR_TILES_AGAIN(columns) FOR_COLUMNS(i, columns, dx, dr, g, gs, x, r) {
        const float value = fma(scale, fma(x[i] + r[i], -pull, g[i] * (w[i] + shift)), gs[i]);
        dx.set(i, value);
        dr.set(i, value);
      }
    }
  }
  dw.store();
}
