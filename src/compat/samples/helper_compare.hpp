// name: helper_compare
// provides: compareData, compareDataAsFloatThreshold, sdkCompareL2fe, sdkCompareBin2BinFloat, sdkCompareBin2BinUint
// replaces:
// requires: helper_string
// includes: cmath, cstdio, cstdlib, fstream, iostream, vector
// summary: Comparisons of arrays and binary files of the CUDA samples' helper_image.h under their own names.
// source: documented behaviour of the CUDA samples (Common)

inline bool cass_few_errors(unsigned int errors, unsigned int length, float threshold)
{
    if (errors > 0)
        printf("%4.2f(%%) of elements mismatched (count=%u)\n", errors * 100.0 / length, errors);
    return errors == 0 || static_cast<float>(errors) < length * threshold;
}

// True if fewer than `threshold` (a share of the length) of the elements differ by more than `epsilon`.
template <class CassT, class CassS>
inline bool compareData(const CassT* reference, const CassT* data, const unsigned int length, const CassS epsilon, const float threshold)
{
    unsigned int errors = 0;
    for (unsigned int i = 0; i < length; ++i) {
        const float difference = static_cast<float>(reference[i]) - static_cast<float>(data[i]);
        errors += !(std::fabs(difference) <= static_cast<float>(epsilon));
    }
    return cass_few_errors(errors, length, threshold);
}

// As compareData, with an epsilon of at least 0.001 that a difference must stay below.
template <class CassT, class CassS>
inline bool compareDataAsFloatThreshold(const CassT* reference, const CassT* data, const unsigned int length, const CassS epsilon, const float threshold)
{
    const float allowed = static_cast<float>(epsilon) > 1e-3f ? static_cast<float>(epsilon) : 1e-3f;
    unsigned int errors = 0;
    for (unsigned int i = 0; i < length; ++i) {
        const float a = static_cast<float>(reference[i]), b = static_cast<float>(data[i]);
        errors += !(std::fabs(a - b) < allowed);
    }
    return cass_few_errors(errors, length, threshold);
}

// Error in the Euclidean norm, relative to the reference.
inline bool sdkCompareL2fe(const float* reference, const float* data, const unsigned int length, const float epsilon)
{
    double error = 0, norm = 0;
    for (unsigned int i = 0; i < length; ++i) {
        const double difference = static_cast<double>(reference[i]) - data[i];
        error += difference * difference;
        norm += static_cast<double>(reference[i]) * reference[i];
    }
    if (norm < 1e-7) {
        std::cerr << "ERROR, reference l2-norm is 0\n";
        return false;
    }
    const double relative = std::sqrt(error / norm);
    if (!(relative < epsilon))
        std::cerr << "ERROR, L2-norm error " << relative << " is greater than epsilon " << epsilon << "\n";
    return relative < epsilon;
}

// The elements of a binary file; fewer than `count` of them is reported and gives none.
template <class CassT>
inline std::vector<CassT> cass_read_elements(const char* name, unsigned int count)
{
    std::vector<CassT> elements(count);
    std::ifstream in(name, std::ios::binary);
    if (!in.read(reinterpret_cast<char*>(elements.data()), static_cast<std::streamsize>(sizeof(CassT) * count))) {
        std::cerr << "cannot read " << count << " elements from " << name << std::endl;
        elements.clear();
    }
    return elements;
}

// Reads a binary file and its reference file, which is searched for as sdkFindFilePath does.
template <class CassT>
inline bool cass_read_files(const char* name, const char* reference, unsigned int count, std::vector<CassT>& data, std::vector<CassT>& expected, const char* program)
{
    char* found = sdkFindFilePath(reference, program);
    data = cass_read_elements<CassT>(name, count);
    if (found)
        expected = cass_read_elements<CassT>(found, count);
    else
        std::cerr << "cannot find " << reference << std::endl;
    free(found);
    return data.size() == count && expected.size() == count;
}
inline bool sdkCompareBin2BinFloat(const char* name, const char* reference, unsigned int count, const float epsilon, const float threshold, char* program)
{
    std::vector<float> data, expected;
    return cass_read_files(name, reference, count, data, expected, program) &&
           compareDataAsFloatThreshold(expected.data(), data.data(), count, epsilon, threshold);
}
inline bool sdkCompareBin2BinUint(const char* name, const char* reference, unsigned int count, const float epsilon, const float threshold, char* program)
{
    std::vector<unsigned int> data, expected;
    return cass_read_files(name, reference, count, data, expected, program) &&
           compareData(expected.data(), data.data(), count, epsilon, threshold);
}
